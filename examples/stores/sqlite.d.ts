/** Node has it since version 22.5, and the types of Node 20 do not. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string)
    prepare(statement: string): { get(...values: Array<string | number>): unknown }
    exec(statement: string): void
    readonly isTransaction: boolean
  }
}
