// The events of a project as they happen; after a break it catches up from the last one it has.

const LONGEST_WAIT = 15_000;

export class LiveFeed {
  constructor(api, project) {
    this.api = api;
    this.project = project;
    this.after = null;
    this.wait = 500;
    this.listeners = new Set();
    this.state = "connecting";
    this.#connect();
  }

  // Calls back with each event, and with {type: "connection"} when the line comes or goes.
  listen(listener) {
    this.listeners.add(listener);
    listener({ type: "connection", state: this.state });
    return () => this.listeners.delete(listener);
  }

  #connect() {
    const socket = this.api.socket(`/projects/${this.project}/ws`, this.after);
    socket.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === "hello") {
        this.wait = 500;
        this.#become("live");
        return;
      }
      this.after = event.number;
      this.#tell(event);
    });
    socket.addEventListener("close", ({ code }) => {
      if (code === 4404) return this.#become("gone");
      this.#become("disconnected");
      setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    });
  }

  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.#tell({ type: "connection", state });
  }

  #tell(event) {
    for (const listener of this.listeners) listener(event);
  }
}
