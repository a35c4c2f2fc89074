import { createApp, h } from "vue";
import { createRouter, createWebHashHistory, RouterLink, RouterView, useRoute, useRouter } from "vue-router";

const Front = {
  setup() {
    const router = useRouter();
    return () => [
      h("h1", "Guide"),
      h(RouterLink, { to: "/steps/1" }, () => "First step"), " ",
      h(RouterLink, { to: "/steps/2" }, () => "Second step"),
      h("div", { style: "cursor: pointer", onClick: () => router.push("/faq") }, "Questions"),
    ];
  },
};
const Step = { setup: () => { const { params } = useRoute(); return () => [h("h1", `Step ${params.number}`), h("p", `What is to be done in step ${params.number}.`)]; } };
const Questions = { render: () => [h("h1", "Questions"), h("p", "What people ask, and what we say to it.")] };

const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: "/", component: Front },
    { path: "/steps/:number", component: Step },
    { path: "/faq", component: Questions },
  ],
});
createApp({ render: () => h(RouterView) }).use(router).mount("#app");
