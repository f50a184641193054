#!/bin/sh
# The image postgres runs this once, on a new volume. Samespot gets a user that owns its database and is no superuser, with the roles
# of docs/operations.md, "Roles". The superuser has no password: only `docker compose exec postgres psql -U postgres` is left.
set -eu
psql --username postgres --dbname postgres --quiet --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE samespot LOGIN NOSUPERUSER PASSWORD :'password';
CREATE ROLE samespot_app;
CREATE ROLE samespot_directory;
GRANT samespot_app, samespot_directory TO samespot;
CREATE DATABASE samespot OWNER samespot;
ALTER ROLE postgres PASSWORD NULL;
SQL
