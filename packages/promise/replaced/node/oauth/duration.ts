/**
 * The timeout of a sign-in.
 */
import { duration as any, millisOf as decode } from "../../core/internal/common/duration.js"

export const duration = any.replace("a number of milliseconds, 0 or more", "a positive number of milliseconds")

export const millisOf = (value: unknown): number => decode(value) ?? 0
