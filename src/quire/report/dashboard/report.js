// The entry of `_report.html`.

import { mount } from "./app.js";
import { shortUrl } from "./format.js";
import { InlineData } from "./inline-data.js";

const data = new InlineData(document);
mount(document.getElementById("app"), data, { title: shortUrl(data.head.crawl.start[0] || "Single pages") });
