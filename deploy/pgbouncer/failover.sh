#!/bin/sh
# failover.sh HOST[:PORT]…: lets a replica take the place of the lost primary, while statements wait in PgBouncer. Of several it takes the
# one that has received most. It refuses if one of them does not answer, which may have rows that the others lack. Run it where PgBouncer
# runs, as its user. PGUSER and PGPASSWORD are those of a superuser, or of a user with the rights that deploy/postgres/servers.sh grants.
# If it fails half-way, it may be run again.
set -eu
file=${PGBOUNCER_INI:-/etc/pgbouncer/pgbouncer.ini}
console=${PGBOUNCER_CONSOLE:-host=/var/run/postgresql port=6432 user=pgbouncer dbname=pgbouncer}
export PGCONNECT_TIMEOUT="${PGCONNECT_TIMEOUT:-5}" # statements wait meanwhile
fail() { echo "failover.sh: $*" >&2; exit 1; }
run() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "$@"; }
split() {
  case $1 in
    *:*:*) host=$1 port=5432 ;; # IPv6
    *:*) host=${1%:*} port=${1##*:} ;;
    *) host=$1 port=5432 ;;
  esac
}
at() {
  split "$1"
  shift
  run --host "$host" --port "$port" --dbname "${PGDATABASE:-samespot}" "$@"
}

# Prints `primary`, `starting` while a replica reads its own log after a start, or its timeline and how many bytes it has received.
look() {
  at "$1" --command "SELECT CASE WHEN NOT pg_is_in_recovery() THEN 'primary' WHEN pg_last_wal_receive_lsn() IS NULL THEN 'starting'
    ELSE (SELECT timeline_id FROM pg_control_checkpoint()) || ' ' ||
         (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0') END"
}

# Sets `chosen`, and says why.
choose() {
  chosen='' why='' writes='' timeline='' most=-1
  for each in "$@"; do
    wait_for "$each" $#
    if [ "$seen" = primary ]; then
      [ -z "$writes" ] || fail "$writes and $each both take writes. Stop the one that is not to be the primary."
      writes=$each
    elif [ "$seen" != starting ]; then
      compare "$each" "${seen% *}" "${seen#* }"
    fi
  done
  if [ -n "$writes" ]; then chosen=$writes why="$writes takes writes already"; fi
  chosen=${chosen:-$1}
  echo "The new primary is $chosen${why:+: $why}."
}

# Sets `seen`. Of one host there is no choice, so it need not have come to the end of its log.
wait_for() {
  tries=0
  while
    seen=$(look "$1") || fail "$1 does not answer, and may have rows that the others lack. Start it; leave it out only if it is lost."
    [ "$seen" = starting ] && [ "$2" -gt 1 ]
  do
    tries=$((tries + 1))
    [ $tries -lt 120 ] || fail "$1 is still reading its own log. Try again, or leave it out if it is known to be behind."
    sleep 0.5
  done
}

compare() {
  [ "${timeline:-$2}" = "$2" ] || fail "$chosen is on timeline $timeline and $1 on $2: one did not follow the lost primary. Leave it out."
  timeline=$2 why="${why:+$why, }$1 has received $3 bytes"
  if [ "$3" -gt "$most" ]; then chosen=$1 most=$3; fi
}

[ $# -gt 0 ] || fail "name the replicas: failover.sh HOST[:PORT]..."
run --dbname "$console" --command PAUSE
trap 'run --dbname "$console" --command RESUME' EXIT
choose "$@"
# It has no replica, for which it would wait at each commit.
at "$chosen" --output /dev/null <<'SQL'
SELECT pg_is_in_recovery() AS follows, current_setting('synchronous_standby_names') <> '' AS waits \gset
\if :follows
  SELECT pg_promote();
\endif
\if :waits
  ALTER SYSTEM SET synchronous_standby_names = '';
  SELECT pg_reload_conf();
\endif
SQL
[ "$(look "$chosen")" = primary ] || fail "$chosen has not become the primary yet. See its log, and try again."
split "$chosen"
settings=$(sed "s/host=[^ ]* port=[0-9]*/host=$host port=$port/" "$file")
printf '%s\n' "$settings" > "$file" # sed -i needs a folder that it may write to
run --dbname "$console" --command RELOAD
for each in "$@"; do
  [ "$each" = "$chosen" ] || echo "$each still follows the lost primary: let it follow $chosen (docs/scaling.md, Failover)."
done
