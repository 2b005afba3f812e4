import "#testing/node/bin.js"
