import { createApp, h, onMounted, ref } from "vue";
import { createRouter, createWebHistory, RouterLink, RouterView, useRoute, useRouter } from "vue-router";
import "../../shared/menu.js";
import "../../shared/style.css";
import { endless, items, tracked, traps } from "../../shared/acts.js";

const link = (to, text) => h(RouterLink, { to }, () => text);
const goes = (router, to, text) => h("div", { class: "go", onClick: () => router.push(to) }, text);
const text = (title, ...rest) => [
  h("h1", title),
  h("p", `This is what the page called ${title} says, in a sentence of its own.`),
  ...rest,
];
const page = (title) => ({ render: () => text(title) });

const Frame = {
  setup() {
    const router = useRouter();
    const open = ref(false);
    const go = (to) => router.push(to);
    const entry = (label, act) =>
      h("li", { role: "menuitem", class: "go", onClick: () => { open.value = false; act(); } }, label);
    return () => [
      h("header", [
        h("nav", [
          link("/", "Home"), " ", link("/about", "About"), " ", link("/home", "Start"), " ", h("a", { href: "/guide.html" }, "Guide"),
          goes(router, "/products", "Products"),
          h("button", { type: "button", "aria-haspopup": "menu", onClick: () => (open.value = !open.value) }, "Company"),
          open.value && h("ul", { role: "menu" }, [entry("Team", () => go("/team")), entry("Careers", tracked(go, "/careers"))]),
        ]),
        h("site-menu", { open: "", onGo: (event) => go(event.detail) }),
      ]),
      h("main", [h(RouterView)]),
    ];
  },
};

const Home = {
  setup() {
    const router = useRouter();
    const go = (to) => router.push(to);
    return () => text(
      "Home",
      goes(router, "/settings", "Settings"),
      h("span", { class: "go", onClick: () => go("/lazy") }, "Something heavy"),
      goes(router, "/feed", "Feed"),
      ...traps(go).map(([label, act]) => h("button", { type: "button", onClick: act }, label)),
      h("form", { action: "/submitted", method: "post" }, [h("input", { name: "q" }), h("button", "Search")]),
      h("a", { download: "", href: "/catalogue.zip" }, "Catalogue"),
    );
  },
};

const About = {
  setup() {
    const tab = ref("history");
    return () => text(
      "About",
      h("div", { role: "tablist" }, ["history", "values"].map((name) => h("div", { role: "tab", onClick: () => (tab.value = name) }, name))),
      tab.value === "values" ? h("p", ["What we hold dear: ", link("/values", "our values")]) : h("p", "It began in a garage."),
    );
  },
};

const Products = {
  setup() {
    const router = useRouter();
    const list = ref([]);
    const more = ref(false);
    const load = async () => {
      const found = await items(list.value.length);
      list.value.push(...found.items);
      more.value = found.more;
    };
    onMounted(load);
    return () => text(
      "Products",
      ...list.value.map((each) => goes(router, `/products/${each.id}`, each.name)),
      more.value && h("button", { type: "button", onClick: load }, "Load more"),
    );
  },
};

const Product = {
  setup() {
    const router = useRouter();
    const route = useRoute();
    return () => text(
      `Product ${route.params.id}`,
      h("div", { role: "tablist" }, [h("span", { role: "tab", onClick: () => router.push(`/products/${route.params.id}/specs`) }, "Specifications")]),
      h(RouterView),
    );
  },
};
const Specs = { setup: () => { const route = useRoute(); return () => h("p", `The measures of product ${route.params.id}, to the millimetre.`); } };

const Settings = {
  setup() {
    const router = useRouter();
    return () => text("Settings", goes(router, "/settings/profile", "Profile"), goes(router, "/settings/security", "Security"), h(RouterView));
  },
};

const Feed = {
  setup() {
    const list = ref(null);
    onMounted(() => endless(list.value));
    return () => text("Feed", h("div", [h("div", { ref: list }), h("i", "…")]));
  },
};

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: "/", component: Home },
    { path: "/home", redirect: "/" },
    { path: "/about", component: About },
    { path: "/products", component: Products },
    { path: "/products/:id", component: Product, children: [{ path: "specs", component: Specs }] },
    { path: "/settings", component: Settings, children: [{ path: "profile", component: page("Profile") }, { path: "security", component: page("Security") }] },
    { path: "/lazy", component: () => import("./lazy.js") },
    { path: "/feed", component: Feed },
    ...["team", "careers", "values", "contact", "press", "deleted", "bought", "logged-out"].map((name) => ({ path: `/${name}`, component: page(name) })),
  ],
});
const app = createApp(Frame);
app.config.compilerOptions.isCustomElement = (tag) => tag === "site-menu";
app.use(router).mount("#app");
