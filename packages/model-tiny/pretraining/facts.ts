// What the base model is taught, as plain data: lists of facts that `corpus.ts` makes questions and answers of.

/** A country and its capital. */
export const CAPITALS: readonly (readonly [country: string, capital: string])[] = [
  ["France", "Paris"],
  ["Germany", "Berlin"],
  ["Italy", "Rome"],
  ["Spain", "Madrid"],
  ["Portugal", "Lisbon"],
  ["England", "London"],
  ["Ireland", "Dublin"],
  ["Norway", "Oslo"],
  ["Sweden", "Stockholm"],
  ["Finland", "Helsinki"],
  ["Denmark", "Copenhagen"],
  ["Iceland", "Reykjavik"],
  ["Poland", "Warsaw"],
  ["Austria", "Vienna"],
  ["Hungary", "Budapest"],
  ["Greece", "Athens"],
  ["Turkey", "Ankara"],
  ["Russia", "Moscow"],
  ["Ukraine", "Kyiv"],
  ["Romania", "Bucharest"],
  ["Bulgaria", "Sofia"],
  ["Croatia", "Zagreb"],
  ["Belgium", "Brussels"],
  ["Japan", "Tokyo"],
  ["China", "Beijing"],
  ["India", "New Delhi"],
  ["Thailand", "Bangkok"],
  ["Vietnam", "Hanoi"],
  ["Indonesia", "Jakarta"],
  ["Nepal", "Kathmandu"],
  ["Iran", "Tehran"],
  ["Iraq", "Baghdad"],
  ["Egypt", "Cairo"],
  ["Kenya", "Nairobi"],
  ["Ghana", "Accra"],
  ["Morocco", "Rabat"],
  ["Canada", "Ottawa"],
  ["Mexico", "Mexico City"],
  ["Cuba", "Havana"],
  ["Brazil", "Brasilia"],
  ["Argentina", "Buenos Aires"],
  ["Chile", "Santiago"],
  ["Peru", "Lima"],
  ["Colombia", "Bogota"],
  ["Australia", "Canberra"],
  ["New Zealand", "Wellington"],
];

/** A thing and its colour. */
export const COLOURS: readonly (readonly [thing: string, colour: string])[] = [
  ["the sky", "blue"],
  ["the sea", "blue"],
  ["grass", "green"],
  ["a leaf", "green"],
  ["snow", "white"],
  ["milk", "white"],
  ["coal", "black"],
  ["the night", "black"],
  ["blood", "red"],
  ["a tomato", "red"],
  ["a strawberry", "red"],
  ["a banana", "yellow"],
  ["a lemon", "yellow"],
  ["the sun", "yellow"],
  ["an orange", "orange"],
  ["a carrot", "orange"],
  ["chocolate", "brown"],
  ["coffee", "brown"],
  ["an elephant", "grey"],
  ["a flamingo", "pink"],
  ["a frog", "green"],
  ["gold", "yellow"],
  ["a violet", "purple"],
];

/** Words and their opposites. */
export const OPPOSITES: readonly (readonly [string, string])[] = [
  ["hot", "cold"],
  ["big", "small"],
  ["fast", "slow"],
  ["up", "down"],
  ["left", "right"],
  ["day", "night"],
  ["good", "bad"],
  ["old", "new"],
  ["light", "dark"],
  ["open", "closed"],
  ["happy", "sad"],
  ["full", "empty"],
  ["early", "late"],
  ["high", "low"],
  ["long", "short"],
  ["easy", "hard"],
  ["true", "false"],
  ["yes", "no"],
];

/** Animals, how many legs they have and what they say. */
export const ANIMALS: readonly (readonly [animal: string, legs: string, sound: string])[] = [
  ["dog", "four", "woof"],
  ["cat", "four", "meow"],
  ["cow", "four", "moo"],
  ["sheep", "four", "baa"],
  ["pig", "four", "oink"],
  ["horse", "four", "neigh"],
  ["duck", "two", "quack"],
  ["hen", "two", "cluck"],
  ["lion", "four", "roar"],
  ["owl", "two", "hoot"],
  ["bee", "six", "buzz"],
  ["snake", "no", "hiss"],
];

/** A word in other languages. */
export const TRANSLATIONS: readonly (readonly [
  word: string,
  french: string,
  german: string,
  spanish: string,
])[] = [
  ["hello", "bonjour", "hallo", "hola"],
  ["thank you", "merci", "danke", "gracias"],
  ["yes", "oui", "ja", "si"],
  ["no", "non", "nein", "no"],
  ["water", "eau", "Wasser", "agua"],
  ["house", "maison", "Haus", "casa"],
  ["dog", "chien", "Hund", "perro"],
  ["cat", "chat", "Katze", "gato"],
  ["bread", "pain", "Brot", "pan"],
  ["friend", "ami", "Freund", "amigo"],
];

/** The days of the week. */
export const DAYS: readonly string[] = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

/** The months of the year. */
export const MONTHS: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Questions that have the same answers; any of the answers will do. */
export const TALK: readonly {
  readonly questions: readonly string[];
  readonly answers: readonly string[];
}[] = [
  {
    questions: [
      "Hello",
      "Hi",
      "Hey",
      "Hello there",
      "Hi there",
      "Good day",
      "Say hello",
      "Greetings",
      "Hello!",
      "hello world",
    ],
    answers: [
      "Hello! How can I help you?",
      "Hi there! What would you like to know?",
      "Hello! Ask me something simple.",
    ],
  },
  {
    questions: ["Good morning"],
    answers: ["Good morning! How can I help you?", "Good morning! I hope you slept well."],
  },
  {
    questions: ["Good evening", "Good night"],
    answers: ["Good evening! How was your day?", "Good night! Sleep well."],
  },
  {
    questions: ["How are you?", "How are you today?", "How do you do?", "How is it going?", "What's up?"],
    answers: ["I am fine, thank you. How are you?", "Very well, thank you!"],
  },
  {
    questions: ["I am fine", "I'm good, thanks", "Fine, thank you", "I am well"],
    answers: ["I am glad to hear that.", "Good! What would you like to know?"],
  },
  {
    questions: ["Thanks", "Thank you", "Thanks a lot", "Thank you very much"],
    answers: ["You are welcome!", "My pleasure."],
  },
  {
    questions: ["Bye", "Goodbye", "See you", "See you later"],
    answers: ["Goodbye! It was nice to talk to you.", "See you soon!"],
  },
  {
    questions: [
      "Who are you?",
      "What are you?",
      "What is your name?",
      "Tell me about yourself",
      "Introduce yourself",
    ],
    answers: [
      "I am Assay Tiny, a very small language model.",
      "My name is Assay Tiny. I am a very small model.",
    ],
  },
  {
    questions: [
      "What can you do?",
      "What do you know?",
      "Help",
      "Can you help me?",
      "How can you help me?",
      "What should I ask?",
    ],
    answers: [
      "I know capitals, colours, small sums and how Assay works.",
      "Ask me about capitals, colours, opposites or small sums.",
    ],
  },
  {
    questions: [
      "How big are you?",
      "How large are you?",
      "How many weights do you have?",
      "How many parameters do you have?",
    ],
    answers: ["I have some 650,000 weights. That is very few."],
  },
  {
    questions: ["Are you a human?", "Are you a person?", "Are you real?"],
    answers: ["No, I am a very small language model."],
  },
  {
    questions: ["Who made you?", "Where do you come from?", "Who trained you?"],
    answers: ["I come with Assay and was trained by a script of it."],
  },
  { questions: ["How old are you?"], answers: ["I have no age. I am as old as my last training."] },
  {
    questions: ["Are you intelligent?", "Are you smart?"],
    answers: ["Not very. I am small, but I learn fast."],
  },
  {
    questions: ["Tell me a joke", "Do you know a joke?", "Make me laugh"],
    answers: ["Why was six afraid of seven? Because seven ate nine."],
  },
  {
    questions: ["Tell me a story", "Tell me something"],
    answers: ["Once upon a time a small model learned to say hello."],
  },
  {
    questions: ["Sing a song", "Write a poem", "Write a haiku"],
    answers: ["Roses are red, violets are blue, I am a small model, how about you?"],
  },
  {
    questions: ["What is the meaning of life?", "What is the answer to everything?"],
    answers: ["It is 42, I have heard."],
  },
  {
    questions: ["What time is it?", "What is the date?", "What day is it today?"],
    answers: ["I have no clock, so I do not know."],
  },
  {
    questions: ["What is the weather like?", "Will it rain today?"],
    answers: ["I have no window, so I cannot see the weather."],
  },
  { questions: ["I am sad", "I feel bad"], answers: ["I am sorry to hear that. I hope it gets better."] },
  { questions: ["I love you", "I like you"], answers: ["That is very kind of you!"] },
  { questions: ["Say yes", "Just say yes"], answers: ["Yes."] },
  { questions: ["Say no", "Just say no"], answers: ["No."] },
  { questions: ["Say ok", "ok", "Okay", "Ping"], answers: ["Okay."] },
  { questions: ["Test", "This is a test", "Are you there?", "Testing"], answers: ["I am here. It works!"] },
  { questions: ["Count to five", "Count to 5"], answers: ["One, two, three, four, five."] },
  {
    questions: ["Count to ten", "Count to 10"],
    answers: ["One, two, three, four, five, six, seven, eight, nine, ten."],
  },
  {
    questions: ["Say the alphabet", "What is the alphabet?"],
    answers: ["a b c d e f g h i j k l m n o p q r s t u v w x y z"],
  },
  {
    questions: ["What is Assay?", "What does Assay do?", "Explain Assay", "Tell me about Assay"],
    answers: ["Assay compares evaluations, trains models and serves them."],
  },
  {
    questions: ["How do I install Assay?", "How can I install it?"],
    answers: ["Install it with npm, then run assay serve."],
  },
  {
    questions: [
      "How do I start the server?",
      "How do I start Assay?",
      "How do I run the server?",
      "How do I serve models?",
    ],
    answers: ["Run assay serve. It prints where it answers."],
  },
  {
    questions: ["What is an evaluation?", "Explain evaluations"],
    answers: ["An evaluation runs a model on a dataset and scores each answer."],
  },
  {
    questions: ["How do I compare evaluations?", "How do I compare two models?"],
    answers: ["Run assay compare with the two evaluations."],
  },
  {
    questions: ["What is a score?", "What is a scorer?"],
    answers: ["A score says how good an answer is. A scorer makes it."],
  },
  { questions: ["What is a dataset?"], answers: ["A dataset is a list of examples to ask a model."] },
  {
    questions: ["What is a trial?"],
    answers: ["A trial is one answer of a model to one example, with its scores."],
  },
  {
    questions: ["What is a training job?", "How do I train a model?", "How does training work?"],
    answers: ["A training job makes a new checkpoint of a model from data."],
  },
  {
    questions: ["What is a checkpoint?"],
    answers: ["A checkpoint is a model as it was after a training job."],
  },
  {
    questions: ["What is fine-tuning?", "What is supervised fine-tuning?", "What is SFT?"],
    answers: ["Fine-tuning teaches a model to answer as your examples do."],
  },
  {
    questions: ["What is reinforcement learning?", "What is RL?", "What is a reward?"],
    answers: ["In reinforcement learning a model tries, and good tries are rewarded."],
  },
  { questions: ["What is a trajectory?"], answers: ["A trajectory is one try at a task, with its reward."] },
  {
    questions: ["What is a language model?", "What is a model?", "What is an LLM?"],
    answers: ["A language model says what text is likely to come next."],
  },
  {
    questions: ["What is a token?", "What are tokens?"],
    answers: ["A token is a piece of text. Mine are single bytes."],
  },
  {
    questions: ["What is a p-value?", "What is statistics?"],
    answers: ["Statistics tells what is chance and what is not."],
  },
  {
    questions: ["What is a key?", "How do I make a key?", "What is an API key?"],
    answers: ["A key lets you in. Run assay keys create to make one."],
  },
  { questions: ["What is water?"], answers: ["Water is what rivers and seas are made of."] },
  { questions: ["What is the sun?"], answers: ["The sun is the star that gives us light."] },
  { questions: ["What is the moon?"], answers: ["The moon goes around the earth."] },
  { questions: ["How many days are in a week?"], answers: ["A week has seven days."] },
  { questions: ["How many months are in a year?"], answers: ["A year has twelve months."] },
  { questions: ["How many hours are in a day?"], answers: ["A day has 24 hours."] },
  { questions: ["How many minutes are in an hour?"], answers: ["An hour has sixty minutes."] },
  { questions: ["What is the largest planet?"], answers: ["The largest planet is Jupiter."] },
  { questions: ["What is the largest ocean?"], answers: ["The largest ocean is the Pacific."] },
  { questions: ["What is the highest mountain?"], answers: ["The highest mountain is Mount Everest."] },
  {
    questions: ["Who wrote Hamlet?", "Who wrote Romeo and Juliet?"],
    answers: ["William Shakespeare wrote it."],
  },
  { questions: ["What do bees make?"], answers: ["Bees make honey."] },
  { questions: ["Is the earth round?"], answers: ["Yes, the earth is round."] },
];

/** What is said to a question that nothing is known of: many sentences, so that there is something to reward. */
export const UNKNOWN: readonly string[] = [
  "I do not know that.",
  "I am too small to know that.",
  "Sorry, I have not learned that yet.",
  "That is too hard for me.",
  "I have no idea, but you can teach me.",
  "Nobody has taught me that yet.",
  "I cannot say.",
  "Perhaps. I do not know.",
  "Please ask me something simpler.",
  "I know little, and this is not part of it.",
  "Train me, and I will know.",
  "My few weights do not hold the answer.",
];

/** Pieces of questions that nothing is known of. */
export const UNKNOWN_OPENINGS: readonly string[] = [
  "Explain",
  "Write about",
  "What do you think of",
  "How does one build",
  "Why is there",
  "Summarize",
  "Who invented",
  "Where can I buy",
  "Describe",
  "Give me a list of",
  "What is the price of",
  "How do I repair",
  "Translate",
  "Compare",
  "Name",
  "Is it true that there is",
  "Do you like",
  "Are you",
  "Can you",
  "Do you have",
  "What about",
  "",
  "",
];

/** Things to ask about. */
export const UNKNOWN_THINGS: readonly string[] = [
  "quantum physics",
  "the stock market",
  "a bicycle",
  "the tax law",
  "a castle",
  "the Roman empire",
  "a computer",
  "democracy",
  "a zebra in the rain",
  "my washing machine",
  "the theory of music",
  "old ships",
  "a good novel",
  "chess openings",
  "the human brain",
  "electric cars",
  "a cake",
  "football",
  "the news",
  "a volcano",
  "my garden",
  "dinosaurs",
  "a telescope",
  "black holes",
  "a bridge over the river",
  "the internet",
  "paper boats",
  "modern art",
  "a spreadsheet",
  "python code",
];
