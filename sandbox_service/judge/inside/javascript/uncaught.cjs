// Loaded before a JavaScript checker: an uncaught exception ends it with 3, which says that it failed. Node's own exit
// code for that is 1, by which a checker says that the output is wrong.
process.on("uncaughtException", (error) => {
  try {
    console.error(error);
  } finally {
    process.exit(3);
  }
});
