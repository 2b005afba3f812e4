import "#node/bin.js"
