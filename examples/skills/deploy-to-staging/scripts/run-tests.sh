#!/bin/sh
# Every check of the project that is a shell script.
set -eu
for check in checks/*.sh; do
  [ -e "$check" ] || continue
  sh "$check"
done
echo "all tests pass"
