#!/bin/sh
# Writes the password of the servers where only this process reads it, and starts PgBouncer.
set -eu
umask 077
printf '"samespot_server" "%s"\n' "$SERVER_PASSWORD" > /tmp/pgbouncer-users.txt
[ $# -gt 0 ] || set -- /etc/pgbouncer/pgbouncer.ini
exec pgbouncer "$@"
