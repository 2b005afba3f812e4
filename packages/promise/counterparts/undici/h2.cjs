// HTTP/2, which the client's agent never negotiates (`allowH2` is off): a server that chose it unasked is not understood.
module.exports = () => {
  throw new TypeError("the server speaks HTTP/2, which was not asked for")
}
