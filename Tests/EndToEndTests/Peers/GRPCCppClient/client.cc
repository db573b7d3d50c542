// A client of the HTTP port made of gRPC's own library for C++. Usage: client HOST:PORT QUERY, where QUERY is in the
// names of more than 20,000 characters. Messages are bytes, so that no generated code has to be compiled: it knows only
// the fields that it needs. It makes one call of each kind, prints what it got, then makes many calls at once, and reads
// a stream so long that the library measures the connection with pings.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using std::string;

static const string kService = "/marvel.v1.MarvelService/";

// MARK: Messages

static void AppendVarint(string* bytes, uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
    bytes->push_back(static_cast<char>(value));
}

static string Number(int field, uint64_t value) {
    string bytes(1, static_cast<char>(field << 3));
    AppendVarint(&bytes, value);
    return bytes;
}

static string Text(int field, const string& value) {
    string bytes(1, static_cast<char>(field << 3 | 2));
    AppendVarint(&bytes, value.size());
    return bytes + value;
}

static grpc::ByteBuffer Buffer(const string& bytes) {
    grpc::Slice slice(bytes);
    return grpc::ByteBuffer(&slice, 1);
}

// The fields of a message: how many of each there are, and the last number of each.
struct Fields {
    std::map<int, int> count;
    std::map<int, uint64_t> number;
    std::map<int, string> bytes;

    explicit Fields(const string& message) {
        size_t at = 0;
        auto varint = [&] {
            uint64_t value = 0;
            for (int shift = 0; at < message.size(); shift += 7) {
                auto byte = static_cast<uint8_t>(message[at++]);
                value |= static_cast<uint64_t>(byte & 0x7F) << shift;
                if (byte < 0x80) break;
            }
            return value;
        };
        while (at < message.size()) {
            uint64_t tag = varint(), value = varint();
            count[tag >> 3]++;
            number[tag >> 3] = value;
            if ((tag & 7) != 2) continue;
            bytes[tag >> 3] = message.substr(at, value);
            at += value;
        }
    }

    static Fields Of(const grpc::ByteBuffer& buffer) {
        std::vector<grpc::Slice> slices;
        (void)buffer.Dump(&slices);
        string bytes;
        for (const auto& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
        return Fields(bytes);
    }
};

// MARK: Calls

// The completion queue of a call that is waited for.
struct Queue : grpc::CompletionQueue {
    // Waits for the only operation under way.
    bool Wait() {
        void* tag;
        bool is_done = false;
        return Next(&tag, &is_done) && is_done;
    }
};

struct Context : grpc::ClientContext {
    explicit Context(int milliseconds = 60'000) {
        set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(milliseconds));
    }
};

struct Client {
    grpc::GenericStub stub;

    grpc::Status Call(Context* context, const string& method, const string& request, grpc::ByteBuffer* answer) {
        Queue queue;
        grpc::Status status;
        auto call = stub.PrepareUnaryCall(context, kService + method, Buffer(request), &queue);
        call->StartCall();
        call->Finish(answer, &status, nullptr);
        queue.Wait();
        return status;
    }

    grpc::Status Call(const string& method, const string& request) {
        Context context;
        grpc::ByteBuffer answer;
        return Call(&context, method, request, &answer);
    }
};

// A call of a method that answers with a stream.
struct Stream {
    Queue queue;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;

    Stream(Client* client, Context* context, const string& method, const string& request)
        : call(client->stub.PrepareCall(context, kService + method, &queue)) {
        call->StartCall(nullptr);
        queue.Wait();
        call->WriteLast(Buffer(request), grpc::WriteOptions(), nullptr);
        queue.Wait();
    }

    bool Read(grpc::ByteBuffer* message) {
        call->Read(message, nullptr);
        return queue.Wait();
    }

    grpc::Status Finish() {
        grpc::Status status;
        call->Finish(&status, nullptr);
        queue.Wait();
        return status;
    }
};

// MARK: Cases

static uint64_t Pages(Client* client) {
    Context context;
    Stream search(client, &context, "SearchCharacters", Text(1, "ma") + Number(3, 4) + Number(6, 3));
    grpc::ByteBuffer message;
    uint64_t id = 0;
    while (search.Read(&message)) {
        Fields page = Fields::Of(message);
        std::cout << "page " << page.count[1] << "\n";
        id = Fields(page.bytes[1]).number[1];
    }
    std::cout << "search " << search.Finish().error_code() << "\n";
    return id;
}

static void Watch(Client* client, uint64_t id) {
    Context context;
    Stream events(client, &context, "WatchFavorites", Text(1, "cpp"));
    grpc::ByteBuffer message;
    events.Read(&message);
    bool begins = Fields::Of(message).count[1] == 1;
    std::cout << "toggle " << client->Call("ToggleFavorite", Text(1, "cpp") + Number(2, id)).error_code() << "\n";
    events.Read(&message);
    std::cout << "watch " << begins << " " << Fields::Of(message).count[2] << "\n";
    context.TryCancel();
    std::cout << "cancelled watch " << events.Read(&message) << " " << events.Finish().error_code() << "\n";
}

static void Errors(Client* client) {
    grpc::ByteBuffer message;
    Context context;
    Stream search(client, &context, "SearchCharacters", Text(1, "s"));
    search.Read(&message);
    grpc::Status status = search.Finish();
    bool has_details = Fields(status.error_details()).count[3] > 0;
    std::cout << "short query " << status.error_code() << " details " << has_details << "\n";
    std::cout << "unknown method " << client->Call("Nothing", "").error_code() << "\n";

    Context soon(100);
    Stream watch(client, &soon, "WatchFavorites", "");
    while (watch.Read(&message)) {
    }
    std::cout << "deadline " << watch.Finish().error_code() << "\n";

    for (int size : {8'000, 9'000, 17'000}) {
        Context large;
        large.AddMetadata("x-large", string(size, 'x'));
        int code = client->Call(&large, "ListFavorites", "", &message).error_code();
        std::cout << "metadata of " << size << " " << code << "\n";
    }
    std::cout << "after that " << client->Call("ListFavorites", "").error_code() << "\n";
}

static void AtOnce(Client* client) {
    struct One {
        Context context;
        grpc::ByteBuffer answer;
        grpc::Status status;
        std::unique_ptr<grpc::GenericClientAsyncResponseReader> call;
    };
    Queue queue;
    std::vector<One> calls(1'000);
    for (auto& one : calls) {
        one.call = client->stub.PrepareUnaryCall(&one.context, kService + "ListFavorites", Buffer(Text(1, "cpp")), &queue);
        one.call->StartCall();
        one.call->Finish(&one.answer, &one.status, &one);
    }
    for (size_t i = 0; i < calls.size(); i++) queue.Wait();
    int failures = 0;
    for (const auto& one : calls) failures += !one.status.ok();
    std::cout << "failures of calls at once " << failures << "\n";
}

static void LongStream(Client* client, const string& query) {
    Context context;
    Stream search(client, &context, "SearchCharacters", Text(1, query) + Number(2, 2) + Number(3, 1));
    grpc::ByteBuffer message;
    uint64_t pages = 0, total = 0;
    for (; search.Read(&message); pages++) total = Fields::Of(message).number[2];
    bool is_whole = search.Finish().ok() && pages == total && pages > 20'000;
    std::cout << "long stream " << is_whole << "\n";
}

int main(int, char** arguments) {
    Client client{grpc::GenericStub(grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials()))};
    uint64_t id = Pages(&client);
    Watch(&client, id);
    Errors(&client);
    AtOnce(&client);
    LongStream(&client, arguments[2]);
}
