#!/bin/sh
set -eu
mkdir -p build
ls > build/files.txt
echo "built"
