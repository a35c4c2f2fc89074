-- How a page was answered.
ALTER TABLE crawled_pages ADD COLUMN content_type text;

ALTER TABLE crawled_pages ADD COLUMN fetched_by varchar(20);

ALTER TABLE crawled_pages ADD COLUMN response_ms integer;

-- The same for every crawl, so that each can be looked at as it was.
ALTER TABLE decisions ADD COLUMN asked_at timestamptz;

ALTER TABLE decisions ADD COLUMN size integer;

ALTER TABLE decisions ADD COLUMN hash text;

ALTER TABLE decisions ADD COLUMN content_type text;

ALTER TABLE decisions ADD COLUMN fetched_by varchar(20);

ALTER TABLE decisions ADD COLUMN response_ms integer;

CREATE INDEX idx_decisions_key ON decisions (crawl_id, key);
