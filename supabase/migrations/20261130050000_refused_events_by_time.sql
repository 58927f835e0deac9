-- concurrently
-- Events of refused calls are kept for a shorter time than others.
create index if not exists events_refused_by_time on timeline.events (at) where type = 'call.refused';
