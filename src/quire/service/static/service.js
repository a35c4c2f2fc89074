// The entry of the service's pages: all projects at `/`, one project at `/projects/ID`.

import { VIEWS, mount } from "./shared/app.js";
import { empty, failure, fill, h, loading } from "./shared/dom.js";
import { count, moment, plural, shortUrl } from "./shared/format.js";
import { themeSwitch } from "./shared/theme.js";
import { Api } from "./api.js";
import { clear, complain, field, formEnd, values } from "./forms.js";
import { LiveFeed } from "./live.js";
import { CrawlState, statusBadge } from "./live-view.js";
import { ProjectData } from "./project-data.js";
import { crawlsView, filtersView, liveCharts, projectOverview, settingsView } from "./project-views.js";

const root = document.getElementById("app");
const api = new Api(askForToken);
const [, id] = /^\/projects\/([\w-]+)$/.exec(location.pathname) || [];
const crawlId = new URLSearchParams(location.search).get("crawl");

if (id && crawlId) openCrawl(id, crawlId);
else if (id) openProject(id);
else openProjects();

// A service that others can reach wants a token; it stays in this tab.
function askForToken(wasWrong) {
  return new Promise((given) => {
    const dialog = h("dialog", { class: "card", "aria-labelledby": "token-title" });
    const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
    const form = h(
      "form",
      { method: "dialog", class: "settings" },
      h("h2", { id: "token-title" }, "This service wants its token"),
      h("div", { class: "setting" }, h("label", { for: "token" }, "Token"), input, h("p", { class: "wrong", role: "alert" }, wasWrong ? "That was not the token." : "")),
      h("button", { type: "submit", class: "primary" }, "Go on"),
    );
    form.addEventListener("submit", () => {
      dialog.remove();
      given(input.value.trim());
    });
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

function openProjects() {
  document.title = "Projects · Quire";
  const main = h("main", { id: "main" });
  root.replaceChildren(h("header", { class: "top" }, h("div", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), h("h1", {}, "Quire")), h("div", { class: "actions" }, themeSwitch())), main);
  const load = (cursor = null, before = []) =>
    fill(
      main,
      async () => {
        const list = await api.get("/projects", { order: "desc", limit: 50, cursor });
        const projects = [...before, ...list.items];
        return h(
          "div",
          { class: "stack" },
          projects.length ? h("ul", { class: "projects" }, projects.map(card)) : empty("No projects yet", "A project is a website that is crawled again and again. Create the first one below."),
          list.next_cursor ? h("button", { type: "button", onclick: () => load(list.next_cursor, projects) }, "Show more") : null,
          creation(),
        );
      },
      () => load(),
    );
  load();
}

function card(project) {
  const { success, failed } = project.pages;
  const crawled = project.crawl_status !== "pending" || success + failed > 0;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card project", href: `/projects/${project.id}` },
      h("div", { class: "card-head" }, h("h2", {}, project.name), statusBadge(project.crawl_status, crawled)),
      h("p", { class: "quiet" }, shortUrl(project.website_url)),
      h("p", {}, plural(success, "page"), failed ? h("span", { class: "bad" }, `, ${count(failed)} failed`) : null, h("span", { class: "quiet" }, ` · since ${moment(project.created_at)}`)),
    ),
  );
}

function creation() {
  const form = h(
    "form",
    { class: "card settings", novalidate: true },
    h("h2", {}, "New project"),
    field(["name", "Name", "text", ""], ""),
    field(["website_url", "Website", "url", "Such as https://example.com/docs/"], ""),
    formEnd(h("button", { type: "submit", class: "primary" }, "Create")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const made = await api.post("/projects", values(form));
      clear(form);
      location.assign(`/projects/${made.id}`);
    } catch (error) {
      complain(form, error);
    }
  });
  return form;
}

async function openProject(id) {
  root.replaceChildren(loading());
  let project;
  let status;
  try {
    [project, status] = await Promise.all([api.get(`/projects/${id}`), api.get(`/projects/${id}/phases/crawl/status`)]);
  } catch (error) {
    root.replaceChildren(h("main", {}, failure(error, () => openProject(id)), h("p", {}, h("a", { href: "/" }, "All projects"))));
    return;
  }
  const data = new ProjectData(api, project);
  const refresh = async (state) => state.take(await api.get(`/projects/${id}/phases/crawl/status`));
  const state = new CrawlState(new LiveFeed(api, id), status, refresh);
  const context = {
    api,
    get project() {
      return project;
    },
    changed: (now) => {
      project = now;
      document.querySelector("header.top h1").textContent = now.name;
    },
  };
  let known = "";
  state.listen(() => {
    const now = JSON.stringify([state.crawl?.id, state.status, state.counts]);
    if (now !== known) data.forget();
    known = now;
  });
  const { start, actions, wrong } = controls(id, state);
  mount(root, data, {
    title: project.name,
    above: h("p", { class: "quiet crumbs" }, h("a", { href: "/" }, "Projects"), " / ", shortUrl(project.website_url)),
    actions,
    banner: wrong,
    views: {
      ...VIEWS,
      overview: ["Overview", () => projectOverview(data, state, start)],
      charts: ["Charts", () => liveCharts(data, state)],
      filters: ["Filters", () => filtersView(data, context)],
      crawls: ["Crawls", (provider, rest, query) => crawlsView(data, context, query)],
      settings: ["Settings", () => settingsView(data, context)],
    },
  });
}

// A crawl that is over, as it was; the project goes on without it.
async function openCrawl(id, crawlId) {
  root.replaceChildren(loading());
  try {
    const [project, crawl] = await Promise.all([api.get(`/projects/${id}`), api.get(`/projects/${id}/crawls/${encodeURIComponent(crawlId)}`)]);
    mount(root, new ProjectData(api, project, crawl), {
      title: project.name,
      above: h("p", { class: "quiet crumbs" }, h("a", { href: "/" }, "Projects"), " / ", h("a", { href: `/projects/${id}` }, shortUrl(project.website_url)), ` / crawl ${crawl.number}`),
      banner: h("aside", { class: "notice", "aria-label": "Which crawl this is" }, `This is crawl ${crawl.number} of ${moment(crawl.started_at || crawl.created_at)}. ${crawl.error ? `It failed: ${crawl.error}. ` : ""}`, h("a", { href: `/projects/${id}` }, "Back to the project")),
    });
  } catch (error) {
    root.replaceChildren(h("main", {}, failure(error, () => openCrawl(id, crawlId)), h("p", {}, h("a", { href: `/projects/${id}` }, "Back to the project"))));
  }
}

// Start and stop, and the API's words when it does not want to.
function controls(id, state) {
  const wrong = h("p", { class: "trouble", role: "alert", hidden: true });
  const act = (path) => async () => {
    try {
      wrong.hidden = true;
      state.take(await api.post(`/projects/${id}/phases/crawl/${path}`));
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  };
  const start = act("run");
  const status = h("span", { role: "status" });
  const begin = h("button", { type: "button", class: "primary", onclick: start }, "Start crawl");
  const stop = h("button", { type: "button", class: "danger", onclick: act("cancel") }, "Stop");
  const retry = h("button", { type: "button", onclick: act("retry") }, "Retry failed");
  state.listen(() => {
    status.replaceChildren(statusBadge(state.status, Boolean(state.crawl)));
    begin.hidden = state.active;
    stop.hidden = !state.active;
    stop.disabled = Boolean(state.crawl?.cancel_requested);
    retry.hidden = state.active || !(state.counts.failed > 0);
  });
  return { start, wrong, actions: [status, retry, begin, stop] };
}
