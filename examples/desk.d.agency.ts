type Plan = { "note": string; "why": string }
/** Tidies a room. */
export declare const main: import("@toolwright/agency/runtime").Node<{ "room": string }, [room: string], string>
export {}
