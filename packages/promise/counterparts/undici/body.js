// A body of another kind than a string, of which `fetch` would be bundled: the transport sends none.
export const extractBody = () => {
  throw new TypeError("the body of a request must be a string")
}
