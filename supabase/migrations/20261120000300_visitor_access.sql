-- VISITOR_ACCESS=open: every request may read every visitor. It holds for a transaction that says so itself: the server sets
-- heyline.visitor_access in each of its requests, to "slug" or to "open". Where nobody sets it (a Supabase project with its own
-- REST service), and for any other value, a request still sees the row that it names and the listed ones.
--
-- A comparison with a bound, and not a condition of its own, because that would make every read go through all rows: null, which
-- finds nothing, or the text that is before every other. It is no sub-select, so that the planner can tell the two apart.
alter policy visitors_read_named_or_listed on public.visitors
  using (
    listed
    or lower(slug) = (select private.request_slug())
    or lower(slug) >= case pg_catalog.current_setting('heyline.visitor_access', true) when 'open' then '' end
  );
