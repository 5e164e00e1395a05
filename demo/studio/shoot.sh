#!/bin/sh
# ./shoot.sh scene [res] [spp] [ev] [tag] [key=value ...] -> $STUDIO_OUT/scene$tag.{png,jpg,webp} and scene${tag}_480.{jpg,webp}
# Needs Debian's blender, gcc, python3-numpy, python3-pil, python3-openimageio. STUDIO_OUT: where pictures go (default: ./out).
here=$(cd "$(dirname "$0")" && pwd)
STUDIO_OUT=$(mkdir -p "${STUDIO_OUT:-out}" && cd "${STUDIO_OUT:-out}" && pwd); export STUDIO_OUT
export PYTHONPATH="$here/lib:$here/scenes" PYTHONDONTWRITEBYTECODE=1
[ -f "$STUDIO_OUT/libdenoise.so" ] || gcc -O3 -march=native -ffast-math -fopenmp -shared -fPIC "$here/lib/denoise.c" -o "$STUDIO_OUT/libdenoise.so" -lm || exit 1
cd "$here/scenes" || exit 1
N=$1; RES=${2:-1000}; SPP=${3:-64}; EV=${4:-0}; TAG=$5; [ $# -gt 5 ] && shift 5 || shift $#
nice -n 19 blender -b --factory-startup --python-use-system-env -P "$N.py" -- "$RES" "$SPP" "$TAG" "$@" 2>&1 | grep -vE "^(Fra|Saved|Blender|Read|$| Time)"
nice -n 19 /usr/bin/python3 "$here/lib/post.py" "$N$TAG" "$EV"
