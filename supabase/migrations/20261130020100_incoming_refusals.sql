-- How many calls to us were not let pass, by the hour and the reason. Of such a call nothing else is stored: anybody makes them up.
create table call_desk.incoming_refusals (
  hour    timestamptz not null,
  refusal text not null,
  count   int not null,
  primary key (hour, refusal)
);
alter table call_desk.incoming_refusals enable row level security;
revoke all on call_desk.incoming_refusals from public, anon, authenticated;
