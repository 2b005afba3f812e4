/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration: those of any library that implements Standard
 * Schema.
 */
import { encoderOfStandard, isStandard, replyOfStandard } from "#core/internal/declaration/standard.js"
import type { StandardSchema } from "#core/StandardSchema.js"

export type Fields = Readonly<Record<string, StandardSchema>>

export const example = "Operation.type<number>()"

export const isSchema = isStandard

export const isInput = isStandard

export const isPage = (): boolean => true

export const encoderOf = encoderOfStandard

export const replyOf = replyOfStandard
