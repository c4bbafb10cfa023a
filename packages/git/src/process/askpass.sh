#!/bin/sh
# Git runs this (GIT_ASKPASS) with its question as the argument. The token is in a private file, so that it
# is in no argument list and in no environment.
case "$1" in
  Username*) echo x-access-token ;;
  *) cat "$FETTLE_GIT_TOKEN_FILE" ;;
esac
