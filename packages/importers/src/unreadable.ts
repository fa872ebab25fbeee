// What an importer throws when a file, or a part of it that matters, is not valid. It never leaves the package: it
// becomes a refusal of the files that were read together.

/** The file cannot be read. The message is for a person: where, what is wrong, what would be right. */
export class Unreadable extends Error {}

/** The file is whole, and what was asked of it is not in it: a column that it has not, or one that must be named. */
export class NotInFile extends Unreadable {}

/** The file is what a tool keeps its runs in, and not what it exports them to. */
export class NotExported extends Unreadable {}

/** The file is of no kind that is known, whatever it began like. */
export class Unrecognised extends Unreadable {}
