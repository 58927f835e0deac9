-- Slugs of any script reach the policy, and names are one line of text.

-- The slug that this request says it is about, in lower case: its header x-visitor-slug, percent-encoded in UTF-8 as encodeURIComponent
-- does, since a header carries ASCII only. What is no such encoding is taken as it stands, so that plain ASCII may come unencoded.
-- Null when there is no request, no such header, or what is there cannot be read: then no row is named.
create or replace function private.request_slug() returns text
language plpgsql stable set search_path = '' as $$
declare
  sent text;
begin
  sent := nullif(current_setting('request.headers', true), '')::json ->> 'x-visitor-slug';
  if sent ~ '%' and sent !~ '%(?![0-9A-Fa-f]{2})' then
    begin
      sent := convert_from(
        (
          select string_agg(
            case when piece ~ '^%' then decode(right(piece, 2), 'hex') else convert_to(piece, 'UTF8') end, '' order by place
          )
          from regexp_matches(sent, '%..|[^%]+', 'g') with ordinality as pieces (matched, place), unnest(matched) as piece
        ),
        'UTF8'
      );
    exception when data_exception then null;
    end;
  end if;
  return nullif(lower(sent), '');
exception when data_exception then
  return null;
end
$$;

-- No new name has what breaks a line or turns the direction of the text around it: controls, line and paragraph separators, and the
-- embeddings, overrides and isolates of Unicode's bidirectional algorithm. Names that are there already stay; the page shows them without.
alter table public.visitors
  add constraint visitors_name_in_one_line check (name !~ '[\u0001-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]') not valid;
