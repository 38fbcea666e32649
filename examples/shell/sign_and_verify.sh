#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signs a message, verifies the signature, then one of another message.
set -eu
seed=9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }

signed=$(echo "{\"d\":\"$seed\",\"msg\":\"$(hex 'pay 1 to Alice')\"}" | pointmill sign -)
pk=$(echo "$signed" | field pk)
sig=$(echo "$signed" | field sig)
verdicts=$(for message in 'pay 1 to Alice' 'pay 1000 to Alice'; do
  echo "{\"pk\":\"$pk\",\"msg\":\"$(hex "$message")\",\"sig\":\"$sig\"}"
done | pointmill verify --json -) || [ $? = 1 ] # a signature is not valid
echo "$verdicts" | field reason
