#!/bin/sh
# Makes, if needed, and starts a coordinator (port 4330) and three nodes (4331 to 4333) of Citus on this machine, for `npm run citus`:
#   test/citus/servers.sh FOLDER [start|stop]
# As root it runs them as postgres. BIN names the programs of a PostgreSQL with Citus.
set -eu
folder=${1:?a folder for the data}
bin=${BIN:-$(pg_config --bindir)}
as=
if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; fi
mkdir -p "$folder"
if [ -n "$as" ]; then chown postgres "$folder"; fi

sql() { "$bin/psql" -qX -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -U postgres -c "$2" postgres >/dev/null; }

for port in 4330 4331 4332 4333; do
  data=$folder/$port
  if [ "${2:-start}" = stop ]; then
    $as "$bin/pg_ctl" -D "$data" -m fast stop >/dev/null
    continue
  fi
  if [ ! -d "$data" ]; then
    $as "$bin/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    $as tee -a "$data/postgresql.conf" >/dev/null <<SETTINGS
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
shared_preload_libraries = 'citus'
citus.max_adaptive_executor_pool_size = 1
citus.enable_statistics_collection = off
wal_level = logical
max_connections = 150
max_prepared_transactions = 200
max_worker_processes = 16
max_replication_slots = 16
max_wal_senders = 16
max_logical_replication_workers = 8
max_wal_size = 1GB
fsync = off
synchronous_commit = off
full_page_writes = off
SETTINGS
    isNew=true
  fi
  $as "$bin/pg_ctl" -D "$data" -l "$data.log" -w start >/dev/null
  if [ "${isNew:-}" ]; then sql $port "CREATE EXTENSION citus"; fi
done

if [ "${isNew:-}" ]; then
  sql 4330 "SELECT citus_set_coordinator_host('127.0.0.1', 4330)"
  for port in 4331 4332 4333; do sql 4330 "SELECT citus_add_node('127.0.0.1', $port)"; done
fi
