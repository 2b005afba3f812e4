#!/usr/bin/env bash
# Makes the certificates anew. The keys of the servers guard nothing and stand beside them; the authority's is thrown away.
# No date of theirs is near today, whatever day that is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

touch "$temp/index"
cat >"$temp/ca.cnf" <<CNF
[ca]
default_ca = test
[test]
database = $temp/index
new_certs_dir = $temp
certificate = authority.pem
private_key = $temp/authority.key
default_md = sha256
rand_serial = yes
unique_subject = no
policy = any
[any]
commonName = supplied
CNF

sign() { openssl ca -batch -notext -config "$temp/ca.cnf" "$@" 2>/dev/null; }

key "$temp/authority.key"
openssl req -new -key "$temp/authority.key" -subj "/CN=A test authority" -out "$temp/authority.csr"
sign -selfsign -in "$temp/authority.csr" -startdate 20200101000000Z -enddate 21200101000000Z \
  -extfile <(printf "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n") -out authority.pem

# The file's name, what the certificate is for, from when, until when.
certificate() {
  key "$temp/$1.key"
  openssl req -new -key "$temp/$1.key" -subj "/CN=$1" -out "$temp/$1.csr"
  sign -in "$temp/$1.csr" -startdate "$3" -enddate "$4" -extfile <(echo "subjectAltName=$2") -out "$temp/$1.crt"
  cat "$temp/$1.key" "$temp/$1.crt" >"$1.pem"
}

certificate in-order IP:127.0.0.1 20200101000000Z 21200101000000Z
certificate wrong-name DNS:elsewhere.invalid 20200101000000Z 21200101000000Z
certificate expired IP:127.0.0.1 20000101000000Z 20010101000000Z
