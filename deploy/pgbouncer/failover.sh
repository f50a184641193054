#!/bin/sh
# failover.sh HOST [PORT]: lets the replica at HOST take the place of the lost primary, while statements wait in PgBouncer. Run it where
# PgBouncer runs, as its user. PGUSER and PGPASSWORD are those of a superuser, or of a user with
# the rights that deploy/postgres/servers.sh grants.
set -eu
host=$1 port=${2:-5432}
file=${PGBOUNCER_INI:-/etc/pgbouncer/pgbouncer.ini}
console=${PGBOUNCER_CONSOLE:-host=/var/run/postgresql port=6432 user=pgbouncer dbname=pgbouncer}
run() { psql --no-psqlrc --quiet --tuples-only --set ON_ERROR_STOP=1 "$@"; }

run --dbname "$console" --command PAUSE
trap 'run --dbname "$console" --command RESUME' EXIT
# It has no replica, for which it would wait at each commit.
run --host "$host" --port "$port" --dbname "${PGDATABASE:-samespot}" --output /dev/null <<'SQL'
SELECT pg_promote();
SELECT current_setting('synchronous_standby_names') <> '' AS waits \gset
\if :waits
  ALTER SYSTEM SET synchronous_standby_names = '';
  SELECT pg_reload_conf();
\endif
SQL
settings=$(sed "s/host=[^ ]* port=[0-9]*/host=$host port=$port/" "$file")
printf '%s\n' "$settings" > "$file" # sed -i needs a folder that it may write to
run --dbname "$console" --command RELOAD
