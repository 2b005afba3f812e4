/**
 * How a tool is declared: Schemas of its input and its output, which validate them and become the JSON Schemas that an agent
 * reads.
 */
import { CatalogClient, type ClientError } from "@catalog-client/core"
import type { CallToolResult, McpServer, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server"
import { Data, Effect, JSONSchema, Schema } from "effect"
import { printable } from "./text.js"

/** A call that the agent can correct, or a write that stopped; the agent reads the message. */
export class ToolError extends Data.TaggedError("ToolError")<{ readonly message: string }> {}

export type Client = typeof CatalogClient.Service

/** The call of a tool. */
export type ToolEffect<A> = Effect.Effect<A, ClientError | ToolError>

/** Runs a tool for one request. */
export type RunTool = (
  effect: Effect.Effect<CallToolResult, ClientError | ToolError, CatalogClient>,
  signal: AbortSignal
) => Promise<CallToolResult>

export interface Tool {
  readonly name: string
  /** Whether it changes something. */
  readonly isWrite: boolean
  readonly register: (server: McpServer, run: RunTool) => void
}

/** The maximum number of mistakes in an input that an error names. */
const maxIssues = 5

interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<unknown> | undefined
}

/** The place and the message of a mistake in an input, cut to a length: the agent may have sent any length of both. */
export const issueText = ({ message, path = [] }: Issue): string =>
  `${path.length === 0 ? "" : `${printable(path.join("."), 100)}: `}${printable(message, 300)}`

const standard = <A, I>(schema: Schema.Schema<A, I>): StandardSchemaWithJSON<I, A> => {
  const jsonSchema = () => ({ ...JSONSchema.make(schema, { target: "jsonSchema2020-12" }) })
  const { validate, ...rest } = Schema.standardSchemaV1(schema, { onExcessProperty: "error" })["~standard"]
  return {
    "~standard": {
      ...rest,
      validate: async (value) => {
        const result = await validate(value)
        return result.issues === undefined
          ? result
          : { issues: result.issues.slice(0, maxIssues).map((issue) => ({ message: issueText(issue) })) }
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema }
    }
  }
}

/** The maximum length of a result: a longer one would fill the context of an agent. */
export const maxReplyLength = 200_000

/** A reply as an agent may read it: the members that the Schema names, and each text in one line that is not too long. */
export const readable = <A, I>(schema: Schema.Schema<A, I>): ((reply: A) => A) => {
  const options = { propertyOrder: "original" } as const
  const encode = Schema.encodeSync(schema, options)
  const decode = Schema.decodeUnknownSync(schema, options)
  const clean = (_: string, member: unknown) => (typeof member === "string" ? printable(member) : member)
  return (reply) => decode(JSON.parse(JSON.stringify(encode(reply), clean)))
}

export const tool = <A, I, O, P extends object>(options: {
  readonly name: string
  readonly description: string
  readonly input: Schema.Schema<A, I>
  /** The Schema of the result: members of the reply that it does not name are left out. */
  readonly output: Schema.Schema<O, P>
  /** Hints for a tool that changes something; without them, the tool only reads. */
  readonly write?: Pick<ToolAnnotations, "destructiveHint" | "idempotentHint">
  readonly run: (input: A, client: Client) => ToolEffect<O>
  /** The output for people, and for agents that read only text. */
  readonly text: (output: O) => string
}): Tool => ({
  name: options.name,
  isWrite: options.write !== undefined,
  register: (server, run) => {
    const { description, input, name, output, text, write } = options
    const annotations = { readOnlyHint: write === undefined, ...write, openWorldHint: true }
    const encode = Schema.encodeSync(output)
    const read = readable(output)
    const resultOf = (reply: O): Effect.Effect<CallToolResult, ToolError> => {
      const value = read(reply)
      const structuredContent = { ...encode(value) }
      const shown = text(value)
      const length = Math.max(shown.length, JSON.stringify(structuredContent).length)
      if (length > maxReplyLength) {
        const message = `The call succeeded, but its reply is too long to return: ${length} characters, more than ${maxReplyLength}.`
        return Effect.fail(new ToolError({ message: `${message} If the tool has a "limit", ask for fewer rows.` }))
      }
      return Effect.succeed({ content: [{ type: "text", text: shown }], structuredContent })
    }
    server.registerTool(
      name,
      { description, inputSchema: standard(input), outputSchema: standard(output), annotations },
      (args, { mcpReq }) => {
        const reply = Effect.flatMap(CatalogClient, (client) => options.run(args, client))
        return run(Effect.flatMap(reply, resultOf), mcpReq.signal)
      }
    )
  }
})

/** An input that may be omitted, with a default; both are in the JSON Schema. */
export const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: NoInfer<A>, description: string) =>
  Schema.optionalWith(
    schema.annotations({ description: `${description} Default: ${String(value)}.`, default: value }),
    {
      exact: true,
      default: () => value
    }
  )

/** A member that may be missing. */
export const maybe = <A, I>(schema: Schema.Schema<A, I>, description?: string) =>
  Schema.optionalWith(description === undefined ? schema : schema.annotations({ description }), { exact: true })

/** One to 25 of something, for one write. */
export const several = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.Array(schema).pipe(
    Schema.filter((values) => values.length > 0 && values.length <= 25, {
      message: () => "must have 1 to 25 elements",
      jsonSchema: { minItems: 1, maxItems: 25 },
      description
    })
  )
