-- What a search of calls looks at stands in one index, so that it reads no transcripts on its way. The slug is there once more because an
-- index answers by itself only where it has the plain column.
drop index call_desk.call_requests_by_time;
create index call_requests_by_time on call_desk.call_requests (created_at, id, lower(slug))
  include (slug, kind, state, outcome, refusal, in_progress_at, ended_at);
