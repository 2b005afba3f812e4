/** Whether slow suites go through their whole tables, as `npm test -- full` does; they take samples otherwise. */
export const isFull = process.env["CATALOG_TESTS"] === "full"
