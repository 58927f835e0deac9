-- The login of compose.yaml, in the Postgres of its first start: not a superuser (packages/database/README.md). psql runs it.
\getenv password POSTGRES_PASSWORD
create role heyline login password :'password' nosuperuser nobypassrls noinherit createrole;
create database heyline owner heyline;
-- Nobody is the superuser over the network.
alter role postgres password null;
\connect heyline
alter schema public owner to heyline;
