#!/bin/sh
# Starts PgBouncer. Its settings are copied to where failover.sh can change them, and the password of the servers is written to a file
# that only this user can read.
set -eu
umask 077
printf '"samespot_server" "%s"\n' "$SERVER_PASSWORD" > /tmp/pgbouncer-users.txt
sed "s/host=primary/host=${PRIMARY_HOST:-primary}/" "${1:-/etc/pgbouncer/pgbouncer.ini}" > "$PGBOUNCER_INI"
exec pgbouncer --quiet "$PGBOUNCER_INI"
