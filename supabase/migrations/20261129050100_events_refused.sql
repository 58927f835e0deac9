-- concurrently
-- The refused calls of a visitor's last ten minutes, without a look at the others.
create index if not exists events_refused on timeline.events ((coalesce(slug, '')), at) where type = 'call.refused';
