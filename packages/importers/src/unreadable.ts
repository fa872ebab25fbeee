// What an importer throws if a file, or an essential part of it, is invalid. It never leaves the package: it becomes a
// refusal of the files read together.

/** The file cannot be read. The message tells the user where, what is wrong, and what would be right. */
export class Unreadable extends Error {}

/** The file is complete but lacks something the user asked for: a missing column, or one that must be named. */
export class NotInFile extends Unreadable {}

/** The file is where a tool keeps its runs, not what it exports. */
export class NotExported extends Unreadable {}

/** The kind of the file is unknown, in spite of its beginning. */
export class Unrecognised extends Unreadable {}
