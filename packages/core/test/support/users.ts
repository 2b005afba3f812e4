/**
 * A service with many users and nothing else.
 */
import { dataset } from "@catalog-client/core/testing"

export const users = Array.from({ length: 20 }, (_, nth) => `user-${nth}`)
export const usersData = dataset({ users: users.map((name) => ({ name })) })
