// spider-rs, links only: `node spider_rs_links.cjs URL NODE_MODULES`; it waits for nothing and asks no robots.txt.
const { createRequire } = require("node:module");

const [url, modules] = process.argv.slice(2);
const { Website } = createRequire(`${modules}/`)("@spider-rs/spider-rs");

const website = new Website(url);
website.crawl().then(() => console.log(website.getLinks().length));
