-- Which of our numbers calls a visitor; whoever has no row is called from the default one. It is no column of public.visitors, whose
-- rows keep exactly the shape that pages read. The id is the voice platform's own: a UUID of voice_platform.phone_numbers, or whatever a
-- hosted platform has.
create table call_desk.caller_ids (
  slug            text primary key,
  phone_number_id text not null check (phone_number_id <> '' and length(phone_number_id) <= 200),
  updated_at      timestamptz(3) not null default now()
);
alter table call_desk.caller_ids enable row level security;
revoke all on call_desk.caller_ids from public, anon, authenticated;

-- A visitor that gets another slug keeps the number, and one that goes leaves none behind.
create function call_desk.follow_slug() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from call_desk.caller_ids where slug = new.slug;
  update call_desk.caller_ids set slug = new.slug where slug = old.slug;
  return null;
end
$$;
-- Many may go at once: they are looked at together.
create function call_desk.forget_slugs() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from call_desk.caller_ids c using removed r where c.slug = r.slug;
  return null;
end
$$;
create trigger visitors_caller_id_renamed after update of slug on public.visitors
  for each row when (old.slug is distinct from new.slug) execute function call_desk.follow_slug();
create trigger visitors_caller_id_removed after delete on public.visitors
  referencing old table as removed for each statement execute function call_desk.forget_slugs();

-- A number that is removed calls nobody: its visitors are called from the default one again.
create function call_desk.forget_number() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from call_desk.caller_ids where phone_number_id = old.id::text;
  return null;
end
$$;
create trigger phone_numbers_forgotten after delete on voice_platform.phone_numbers
  for each row execute function call_desk.forget_number();
revoke all on function call_desk.follow_slug(), call_desk.forget_slugs(), call_desk.forget_number() from public, anon, authenticated;
