#!/bin/sh
# Fetches the libraries that the pages carry with them, and puts them where they are served from.
#
# Needs npm. Nothing else of the project does: what is fetched is kept in the repository. Each archive
# must have the hash below; tests/service/test_vendored.py holds that the files are still the same.
# To take a newer version: change version and hash here, run it, and bring VENDORED.md up to date.
set -eu

vendor=$(cd "$(dirname "$0")/.." && pwd)/src/veridical/service/static/vendor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetch NAME VERSION SHA256: unpacks it into $work/package
fetch() {
    rm -rf "$work/package"
    archive=$(cd "$work" && npm pack --silent "$1@$2")
    echo "$3  $work/$archive" | sha256sum --check --quiet
    tar -xzf "$work/$archive" -C "$work"
}

fetch htmx.org 4.0.1 5fba65616ca148a86d377e9771bcada7f35faee3558651feb929eea425e13b3c
rm -rf "$vendor/htmx" && mkdir -p "$vendor/htmx"
cp "$work/package/LICENSE" "$work/package/dist/htmx.min.js" "$vendor/htmx/"

fetch pdfjs-dist 6.5.438 7461aefcd27c4ef0dd76f9ca5760f09466eb6b3f934432670c12132e7b3d6faa
rm -rf "$vendor/pdfjs" && mkdir -p "$vendor/pdfjs/decoders"
cp "$work/package/LICENSE" "$work/package/legacy/build/pdf.min.mjs" \
    "$work/package/legacy/build/pdf.worker.min.mjs" "$vendor/pdfjs/"
cp -r "$work/package/cmaps" "$work/package/standard_fonts" "$vendor/pdfjs/"
# Our content policy allows no WebAssembly: these decode images without it.
for name in jbig2 openjpeg; do
    upper=$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]')
    cp "$work/package/wasm/${name}_nowasm_fallback.js" "$work/package/wasm/LICENSE_$upper" \
        "$work/package/wasm/LICENSE_PDFJS_$upper" "$vendor/pdfjs/decoders/"
done

chmod -R u=rwX,go=rX "$vendor"
(cd "$vendor" && find htmx pdfjs -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
echo "vendored into $vendor"
