// The entry of `_report.html`.

import { mount } from "./app.js";
import { shortUrl } from "./format.js";
import { InlineData } from "./inline-data.js";

const read = (kind) => [...document.querySelectorAll(`script.data-${kind}`)].map((block) => JSON.parse(block.textContent));
const [head] = read("head");
const data = new InlineData({ head, pages: read("pages"), others: read("others") });
mount(document.getElementById("app"), data, { title: shortUrl(data.head.crawl.start[0] || "Single pages") });
