// The service's API: requests with the token, and errors as the API words them.

const NAME = "quire-token";

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || `the service answered ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.fields = problem.errors || [];
  }
}

export class Disconnected extends Error {
  constructor() {
    super("The service does not answer. It may have been stopped; this page tries again when you do.");
    this.name = "Disconnected";
  }
}

export class Api {
  constructor(askForToken) {
    this.askForToken = askForToken;
  }

  get(path, query = {}) {
    const filled = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    const search = new URLSearchParams(filled.filter(([, value]) => value !== null && value !== undefined && value !== ""));
    return this.request("GET", search.size ? `${path}?${search}` : path);
  }

  post(path, body = {}) {
    return this.request("POST", path, body);
  }

  async request(method, path, body) {
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
      answer = await fetch(`/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    } catch {
      throw new Disconnected();
    }
    if (answer.status === 401) {
      this.token = await this.askForToken(Boolean(this.token));
      return this.request(method, path, body);
    }
    if (answer.status === 204) return null;
    const text = await answer.text();
    const said = text ? parsed(text) : {};
    if (!answer.ok) throw new ApiError(answer.status, said);
    return said;
  }

  socket(path, after) {
    const query = new URLSearchParams();
    if (after !== null) query.set("after", after);
    if (this.token) query.set("token", this.token);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/api/v1${path}?${query}`);
  }

  get token() {
    return sessionStorage.getItem(NAME) || "";
  }

  set token(value) {
    sessionStorage.setItem(NAME, value);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 200) };
  }
}
