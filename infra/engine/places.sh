# Where the engine of the tests lives; what is kept here between runs saves the next one most of its time. Short, because
# the path of a socket may not be long.
folder=${FETTLE_ENGINE_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/fettle/engine}
programs=$folder/programs
pid_file=$folder/engine.pid
settings_file=$folder/engine.json
address=unix://$folder/engine.sock
engine_path=$programs/usr/sbin:$programs/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
libraries=$(echo "$programs"/usr/lib/*-linux-gnu "$programs"/lib/*-linux-gnu | tr ' ' ':')
