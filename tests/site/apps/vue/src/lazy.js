import { h } from "vue";

export default { render: () => [h("h1", "Something heavy"), h("p", "This page came in a piece of its own.")] };
