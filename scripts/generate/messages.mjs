// Prints every message that a user of the packages can see: of errors, log lines, types and programs. They are read from the
// sources, so that none is missing: every string of two or more words, with ‹code› for the parts that are computed.
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { setup } from "../setup.mjs"
import { root } from "../workspace.mjs"

/** @import { Expression, Node } from "typescript" */

setup()
// Not before: where only the demo ran, it is not installed yet.
const { default: ts } = await import("typescript")

/**
 * The string that an expression makes, or `undefined` if it makes none.
 *
 * @param {Node} node
 * @returns {string | undefined}
 */
const stringOf = (node) => {
  if (ts.isStringLiteralLike(node)) {
    return node.text
  }
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => partOf(span.expression) + span.literal.text).join("")
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [stringOf(node.left), stringOf(node.right)]
    return left === undefined && right === undefined
      ? undefined
      : (left ?? partOf(node.left)) + (right ?? partOf(node.right))
  }
  return undefined
}

/** @param {Expression} expression */
const partOf = (expression) => stringOf(expression) ?? `‹${expression.getText().replace(/\s+/g, " ")}›`

const files = ts.sys.readDirectory(root, [".ts"], ["**/testing/src/data/*"], ["packages/*/src/**/*"])
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  /** @param {Node} node */
  const visit = (node) => {
    const string = stringOf(node)
    if (string !== undefined && /[a-z][a-z,:;'’`›]* [a-z]/i.test(string.replace(/‹.*?›/g, "x"))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      console.log(`${relative(root, file)}:${line + 1}\t${string.replaceAll("\n", "\\n")}`)
    } else if (!ts.isTaggedTemplateExpression(node)) {
      ts.forEachChild(node, visit)
    }
  }
  visit(source)
}
