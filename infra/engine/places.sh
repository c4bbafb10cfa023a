# Where the engine for the tests is stored. Keeping it between runs saves most of the time of the next start. The path is
# short because the path of a Unix socket has a length limit.
folder=${FETTLE_ENGINE_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/fettle/engine}
programs=$folder/programs
pid_file=$folder/engine.pid
settings_file=$folder/engine.json
address=unix://$folder/engine.sock
engine_path=$programs/usr/sbin:$programs/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
libraries=$(echo "$programs"/usr/lib/*-linux-gnu "$programs"/lib/*-linux-gnu | tr ' ' ':')
