// The question page: what a citation stands for is shown where the pointer or the focus rests on it.

import { startWords } from "./words.js";

startWords(document.getElementById("answer"));
