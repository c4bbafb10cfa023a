# Where the engine for the tests is stored. Keeping it between runs saves most of the time of the next start. The path is
# short because the path of a Unix socket has a length limit. The engine that can run Compose has a folder of its own.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fettle
folder=${FETTLE_ENGINE_FOLDER:-$cache/engine}
compose_folder=${FETTLE_COMPOSE_ENGINE_FOLDER:-$cache/compose}
if [ "${engine_mode:-}" = compose ]; then folder=$compose_folder; fi
programs=$folder/programs
pid_file=$folder/engine.pid
settings_file=$folder/engine.json
address=unix://$folder/engine.sock
engine_path=$programs/usr/sbin:$programs/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
libraries=$(echo "$programs"/usr/lib/*-linux-gnu "$programs"/lib/*-linux-gnu | tr ' ' ':')
