// Numbers, dates and states in words.

const NUMBER = new Intl.NumberFormat("en");
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export const STATES = ["pending", "saved", "unchanged", "duplicate", "skipped", "failed", "filtered", "external", "invalid"];

export const STATE_WORDS = {
  saved: "Saved",
  unchanged: "Unchanged",
  duplicate: "Duplicate",
  skipped: "Skipped",
  failed: "Failed",
  filtered: "Filtered",
  pending: "Waiting",
  external: "External",
  invalid: "Invalid",
};

const SOURCES = { a: "Link", start: "Start URL", sitemap: "Sitemap", processed: "Earlier crawl", redirect: "Redirect", canonical: "Canonical URL" };

export function sourceWords(source) {
  return SOURCES[source] || source;
}

export function count(number) {
  return NUMBER.format(number);
}

export function plural(number, one, many = one + "s") {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function bytes(number) {
  if (number < 1000) return `${number} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = number / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : NUMBER.format(Math.round(value))} ${units[unit]}`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function moment(value) {
  const date = value === null || value === undefined || value === "" ? null : new Date(value);
  return date && !Number.isNaN(date.getTime()) ? MOMENT.format(date) : "–";
}

export function share(part, whole) {
  if (!whole) return "0 %";
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}

// The part of a URL that tells pages of one site apart.
export function shortUrl(url, base = "") {
  return base && url.startsWith(base) ? url.slice(base.length) || "/" : url.replace(/^https?:\/\//, "");
}
