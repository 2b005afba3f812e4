/**
 * The timeout of a sign-in.
 */
import { duration as any, millisOf as decode } from "../../core/internal/common/duration.js"

export const duration = any.replace("0 or more", "more than 0")

export const millisOf = (value: unknown): number => decode(value) ?? 0
